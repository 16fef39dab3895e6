# The first program inside of a place (bubblewrap.ts): `perl -e THIS FORWARDS PROGRAM ARGUMENT…`. FORWARDS are
# "ADDRESS:PORT=SOCKET" with commas between: what calls there on the place's own loopback is led to that socket, which somebody outside answers.
#
# What starts it ignores SIGTERM, so that the end of a command is the command's own; here it is as it should be again.
use strict;
use warnings;
use Socket;

sub forward {
    my ($at, $path) = @_;
    my ($address, $port) = split /:/, $at;
    socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
    setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
    (bind($server, sockaddr_in($port, inet_aton($address))) && listen($server, 64)) or die "$at: $!";
    return if fork();
    $SIG{CHLD} = 'IGNORE';
    open($_, '+<', '/dev/null') for \*STDIN, \*STDOUT, \*STDERR;
    while (1) {
        accept(my $caller, $server) or next;
        next if fork();
        socket(my $answerer, PF_UNIX, SOCK_STREAM, 0) or exit 1;
        connect($answerer, sockaddr_un($path)) or exit 1;
        if (fork()) { carry($caller, $answerer) }
        else { carry($answerer, $caller) }
        exit 0;
    }
}

sub carry {
    my ($from, $to) = @_;
    while (sysread($from, my $bytes, 65_536)) {
        for (my $at = 0; $at < length $bytes;) { $at += syswrite($to, $bytes, length($bytes) - $at, $at) // return }
    }
    shutdown($to, 1);
}

my ($forwards, @program) = @ARGV;
forward(split /=/, $_, 2) for split /,/, $forwards;
$SIG{$_} = 'DEFAULT' for qw(TERM INT HUP QUIT PIPE);
# A shell says what is wrong with a program in words that people know, and runs a script without a first line.
exec '/bin/sh', '-c', 'exec "$@"', 'sh', @program;
exit 127;
