# The first program inside a place (bubblewrap.ts): `perl -e THIS OUTPUT FORWARDS PROGRAM ARGUMENT…`. OUTPUT is the descriptor of the
# command's standard output (outside.pl). FORWARDS are "ADDRESS:PORT=SOCKET", separated by commas: a connection to that address on the
# place's own loopback is forwarded to the socket, which a process outside answers.
#
# The parent ignores SIGTERM, so that a command ends by itself; for the command, its default handling is restored. The place ends with
# this process. So after SIGTERM it waits for processes that have not ended yet, because the shell is the first of them to end.
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
    setpgrp(0, 0);    # Signals for the command's group must not reach it.
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

my ($output, $forwards, @program) = @ARGV;
open(my $given, '>&=', $output) or die "standard output: $!";
open(STDOUT, '>&', $given) or die "standard output: $!";
close $given;
forward(split /=/, $_, 2) for split /,/, $forwards;
my $is_asked;
$SIG{TERM} = sub { $is_asked = 1 };
$SIG{$_} = 'IGNORE' for qw(INT HUP QUIT);
my $command = fork() // die "fork: $!";
if ($command == 0) {
    $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP QUIT PIPE);
    # A shell reports errors of a program in familiar words, and runs a script without a first line (#!).
    exec '/bin/sh', '-c', 'exec "$@"', 'sh', @program;
    exit 127;
}
open($_, '+<', '/dev/null') for \*STDIN, \*STDOUT, \*STDERR;
chdir '/';
until (waitpid($command, 0) == $command) { }
my $ended = $?;
for (my $round = 0; $is_asked && $round < 100 && is_left(); $round++) { select undef, undef, undef, 0.02 }
exit($ended & 127 ? 128 + ($ended & 127) : $ended >> 8);

# True when a process of our group is alive, other than this one and the first process of the place.
sub is_left {
    for my $path (grep { !m{/(?:1|$$)/} } glob '/proc/[0-9]*/stat') {
        open(my $stat, '<', $path) or next;
        my ($state, $group) = (readline($stat) // '') =~ /^.*\) (\S) \d+ (\d+)/s or next;
        return 1 if $group == getpgrp() && $state !~ /[ZX]/;
    }
    return 0;
}
