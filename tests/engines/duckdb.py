"""duckdb.py LIBRARY FILE STATEMENT... - runs statements in a database of DuckDB, by its library, and
prints the rows of their answers, cells with | between them. Shares nothing with tacit."""

import ctypes
import sys


class Result(ctypes.Structure):
    _fields_ = [("counts", ctypes.c_uint64 * 3), ("places", ctypes.c_void_p * 3)]


def main(path, file, *statements):
    library = ctypes.CDLL(path)
    library.duckdb_value_varchar.restype = ctypes.c_void_p
    library.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    library.duckdb_result_error.restype = ctypes.c_char_p
    library.duckdb_row_count.restype = library.duckdb_column_count.restype = ctypes.c_uint64
    database, connection, message = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p()
    if library.duckdb_open_ext(file.encode(), ctypes.byref(database), None, ctypes.byref(message)):
        sys.exit(f"duckdb.py: {message.value.decode()}")
    library.duckdb_connect(database, ctypes.byref(connection))
    for statement in statements:
        result = Result()
        at = ctypes.byref(result)
        if library.duckdb_query(connection, statement.encode(), at):
            sys.exit(f"duckdb.py: {library.duckdb_result_error(at).decode()}")
        for row in range(library.duckdb_row_count(at)):
            cells = [library.duckdb_value_varchar(at, column, row)
                     for column in range(library.duckdb_column_count(at))]
            print("|".join(ctypes.string_at(cell).decode() if cell else "" for cell in cells))
        library.duckdb_destroy_result(at)
    library.duckdb_disconnect(ctypes.byref(connection))
    library.duckdb_close(ctypes.byref(database))


main(*sys.argv[1:])
