# The first program inside of a place (bubblewrap.ts): `perl -e THIS PROGRAM ARGUMENT…`.
#
# What starts it ignores SIGTERM, so that the end of a command is the command's own; here it is as it should be again.
use strict;
use warnings;

$SIG{$_} = 'DEFAULT' for qw(TERM INT HUP QUIT PIPE);
# A shell says what is wrong with a program in words that people know, and runs a script without a first line.
exec '/bin/sh', '-c', 'exec "$@"', 'sh', @ARGV;
exit 127;
