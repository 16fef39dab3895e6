# The first program inside of a place (bubblewrap.ts): `perl -e THIS OUTPUT FORWARDS PROGRAM ARGUMENT…`. OUTPUT is the descriptor of the
# command's standard output (outside.pl). FORWARDS are "ADDRESS:PORT=SOCKET" with commas between: what calls there on the place's own loopback is led to that socket, which somebody outside answers.
#
# What starts it ignores SIGTERM, so that the end of a command is the command's own; there it is as it should be again. A place ends with
# us, so that we stay for what was asked to end and has not: its shell is the first to go.
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
    setpgrp(0, 0);    # Nothing that is sent to the command's group is for it.
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
    # A shell says what is wrong with a program in words that people know, and runs a script without a first line.
    exec '/bin/sh', '-c', 'exec "$@"', 'sh', @program;
    exit 127;
}
open($_, '+<', '/dev/null') for \*STDIN, \*STDOUT, \*STDERR;
chdir '/';
until (waitpid($command, 0) == $command) { }
my $ended = $?;
for (my $round = 0; $is_asked && $round < 100 && is_left(); $round++) { select undef, undef, undef, 0.02 }
exit($ended & 127 ? 128 + ($ended & 127) : $ended >> 8);

# Whether anything of our group lives, beside us and the place's first process.
sub is_left {
    for my $path (grep { !m{/(?:1|$$)/} } glob '/proc/[0-9]*/stat') {
        open(my $stat, '<', $path) or next;
        my ($state, $group) = (readline($stat) // '') =~ /^.*\) (\S) \d+ (\d+)/s or next;
        return 1 if $group == getpgrp() && $state !~ /[ZX]/;
    }
    return 0;
}
