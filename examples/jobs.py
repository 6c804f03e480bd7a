"""jobs.py LIBRARY - the releases of jobs.c from Python with nothing but ctypes, in the folder out."""
import ctypes
import sys

tacit = ctypes.CDLL(sys.argv[1])
tacit.tacit_error_format.restype = ctypes.c_char_p
tacit.tacit_error_new.restype = ctypes.c_void_p
error = ctypes.c_void_p(tacit.tacit_error_new())


def check(status):
    if status != 0:
        text = ctypes.create_string_buffer(1100)
        sys.exit(tacit.tacit_error_format(error, text, len(text)).decode())


def run(kind, data, settings):
    job = ctypes.c_void_p()
    check(tacit.tacit_job_new(ctypes.byref(job), kind.encode(), error))
    check(tacit.tacit_job_input_file(job, data.encode(), error))
    for name, value in settings:
        check(tacit.tacit_job_set(job, name.encode(), value.encode(), error))
    check(tacit.tacit_job_run(job, None, error))
    report = ctypes.c_char_p()
    check(tacit.tacit_job_report(job, ctypes.byref(report), error))
    check(tacit.tacit_job_commit(job, error))
    tacit.tacit_job_free(job)
    return report.value


run("anonymize", "patients.csv", [("policy", "patients.yaml"), ("ledger", "out/ledger"), ("seed", "1"),
                                  ("output", "out/release.csv")])
run("protect", "firms.csv", [("dim", "district=hierarchies/districts.hrc"), ("dim", "branch=hierarchies/branches.csv"),
                             ("value", "turnover"), ("rule", "p:10"), ("rule", "freq:2"),
                             ("output", "out/table.csv")])
run("scrub", "letter.txt", [("seed", "1"), ("output", "out/letter.txt")])
