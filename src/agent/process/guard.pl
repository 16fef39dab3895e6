# Starts a command and stays its parent until nothing that descends from it is left (D5; followed-child.ts).
#
#   perl guard.pl PRCTL PRLIMIT MARK probe                             says on standard output whether both work here
#   perl guard.pl PRCTL PRLIMIT MARK merged|apart PROGRAM ARGUMENT…    runs the program where both work
#
# PRCTL and PRLIMIT are the numbers of these system calls on this machine. As a child subreaper (prctl(2)) this process becomes
# the parent of every descendant whose own parent has gone: no setsid, double fork or scrubbed environment leads out of the tree
# below it. MARK is a number that stays on all of them when this process is killed, too: see mark().
#
# SIGTERM goes on to the command's group. What the command leaves of that group then ends by itself, as long as whoever started us lets it.
#
# Descriptor 3 is a socket to whoever started us. We write "followed" before the program starts, or "not followed" and start
# nothing; then "exit N" or "signal N" when the command itself has ended. When they have nothing more to say (their end is closed or shut down, by kill -9 too) everything below us is killed.
use strict;
use warnings;

my ($PR_SET_CHILD_SUBREAPER, $PR_GET_CHILD_SUBREAPER, $WNOHANG) = (36, 37, 1);
my ($PR_CAPBSET_DROP, $CAP_SYS_RESOURCE, $RLIMIT_LOCKS) = (24, 24, 10);

my ($prctl, $prlimit, $mark, $streams, @program) = @ARGV;
my $follows = become_subreaper() && mark();
if ($streams eq 'probe') {
    print $follows ? "followed\n" : "not followed\n";
    exit 0;
}

open(my $starter, '+<&=', 3) or die "descriptor 3: $!";
syswrite $starter, $follows ? "followed\n" : "not followed\n";
exit 0 unless $follows;
pipe(my $woken, my $wake) or die "pipe: $!";
$SIG{$_} = 'IGNORE' for qw(INT HUP QUIT PIPE);

my $command = fork();
die "fork: $!" unless defined $command;
if ($command == 0) {
    setpgrp(0, 0);
    $SIG{$_} = 'DEFAULT' for qw(INT HUP QUIT PIPE);
    close $_ for $starter, $woken, $wake;
    open(STDERR, '>&', \*STDOUT) if $streams eq 'merged';
    # A shell says what is wrong with a program in words that people know, and runs a script without a first line.
    exec '/bin/sh', '-c', 'exec "$@"', 'sh', @program;
    exit 127;
}
setpgrp($command, $command);    # Whoever is first: a signal for the group must never miss it.
my ($ended, $is_told, $is_asked);

# Nothing of the command's is held open here, nor its directory.
open(STDIN, '<', '/dev/null');
open($_, '>', '/dev/null') for \*STDOUT, \*STDERR;
chdir '/';
$SIG{TERM} = sub { $is_asked = 1; kill 'TERM', -$command };
$SIG{CHLD} = sub { syswrite $wake, '.' };

until (defined $ended && !($is_asked && kill(0, -$command))) {
    my $ready = '';
    vec($ready, fileno($_), 1) = 1 for $starter, $woken;
    # One second: a signal that comes between the look and the sleep wakes nobody.
    if (select($ready, undef, undef, 1) > 0) {
        last if vec($ready, fileno($starter), 1) && !sysread($starter, my $said, 64);
        sysread($woken, my $signals, 64) if vec($ready, fileno($woken), 1);
    }
    bury();
    report();
}
end_all();
report();

sub become_subreaper {
    return 0 if $^O ne 'linux' || syscall($prctl + 0, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0;
    my $is_set = pack('i', 0);
    return syscall($prctl + 0, $PR_GET_CHILD_SUBREAPER, $is_set, 0, 0, 0) == 0 && unpack('i', $is_set) == 1;
}

# A hard limit is inherited by every child, shown in /proc/PID/limits to everybody, and raised again by nobody but who has
# CAP_SYS_RESOURCE, which root gives up here for all that it starts. The kernel itself has not looked at this one since 2.4.25.
sub mark {
    syscall($prctl + 0, $PR_CAPBSET_DROP, $CAP_SYS_RESOURCE, 0, 0, 0);
    return syscall($prlimit + 0, 0, $RLIMIT_LOCKS, pack('QQ', $mark, $mark), 0) == 0;
}

# Takes leave of every child that has ended, adopted ones too. False when there is none left, dead or alive.
sub bury {
    my $pid;
    while (($pid = waitpid(-1, $WNOHANG)) > 0) {
        $ended = $? if $pid == $command;
    }
    return $pid == 0;
}

sub report {
    return if $is_told || !defined $ended;
    $is_told = 1;
    my $signal = $ended & 127;
    syswrite $starter, $signal ? "signal $signal\n" : 'exit ' . ($ended >> 8) . "\n";
}

# What a killed child leaves behind becomes our child and is killed in the next round. We stay for as long as one of them does,
# so that what cannot be killed is not lost from sight.
sub end_all {
    my $pause = 0.003;
    while (bury()) {
        kill 'KILL', $_ for children();
        select(undef, undef, undef, $pause);
        $pause *= 1.5 if $pause < 1;
    }
}

sub children {
    if (open(my $list, '<', "/proc/self/task/$$/children")) {
        return split ' ', (readline($list) // '');
    }
    my @found;
    for my $path (glob '/proc/[0-9]*/stat') {
        open(my $stat, '<', $path) or next;
        my ($pid, $parent) = (readline($stat) // '') =~ /^(\d+) .*\) \S (\d+)/s or next;
        push @found, $pid if $parent == $$;
    }
    return @found;
}
