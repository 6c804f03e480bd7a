/*
 * measure.c - runs a program and says what it took.
 *
 *   measure OUT PROGRAM [ARGUMENT...]
 *
 * The program's standard output goes to the file OUT; on standard output comes
 * one line: seconds by the clock, seconds of processor time, and the largest
 * resident set in bytes. The status is the program's.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void become(const char *out, char **argv)
{
    int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
        perror(out);
        _exit(126);
    }
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s OUT PROGRAM [ARGUMENT...]\n", argv[0]);
        return 2;
    }
    double start = now();
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 1;
    }
    if (child == 0)
        become(argv[1], argv + 2);
    int status = 0;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) {
        perror("wait4");
        return 1;
    }
    printf("%.4f %.4f %lld\n", now() - start,
           seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
           (long long)usage.ru_maxrss * 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
