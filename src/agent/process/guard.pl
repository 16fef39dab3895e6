# Starts a command and stays its parent until none of its descendants is left (D5; followed-child.ts).
#
#   perl guard.pl PRCTL PRLIMIT MARK probe                             prints whether both work here
#   perl guard.pl PRCTL PRLIMIT MARK merged|apart PROGRAM ARGUMENT…    runs the program where both work
#
# PRCTL and PRLIMIT are the numbers of these system calls on this machine. As a child subreaper (prctl(2)) this process becomes
# the parent of every descendant whose own parent has ended: no setsid, double fork or cleared environment escapes from the tree
# below it. MARK is a number that stays on all descendants even when this process is killed: see mark().
#
# SIGTERM is passed on to the command's group. Processes of the group that outlive the command may then end by themselves, for as
# long as our starter allows.
#
# Descriptor 3 is a socket to our starter. We write "followed" before the program starts, or "not followed" and start nothing; then
# "exit N" or "signal N" when the command itself has ended. When the starter's end is closed or shut down (also by kill -9),
# everything below us is killed.
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
    # A shell reports errors of a program in familiar words, and runs a script without a first line (#!).
    exec '/bin/sh', '-c', 'exec "$@"', 'sh', @program;
    exit 127;
}
setpgrp($command, $command);    # Both processes set it, so that a signal for the group never misses the command.
my ($ended, $is_told, $is_asked);

# Nothing of the command is kept open here, nor its directory.
open(STDIN, '<', '/dev/null');
open($_, '>', '/dev/null') for \*STDOUT, \*STDERR;
chdir '/';
$SIG{TERM} = sub { $is_asked = 1; kill 'TERM', -$command };
$SIG{CHLD} = sub { syswrite $wake, '.' };

until (defined $ended && !($is_asked && kill(0, -$command))) {
    my $ready = '';
    vec($ready, fileno($_), 1) = 1 for $starter, $woken;
    # Timeout of one second: a signal between the check and the sleep wakes nobody.
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

# A hard limit is inherited by every child and shown to everybody in /proc/PID/limits. Only a process with CAP_SYS_RESOURCE can raise
# it, and root drops that capability here for all its children. The kernel itself has ignored this limit since 2.4.25.
sub mark {
    syscall($prctl + 0, $PR_CAPBSET_DROP, $CAP_SYS_RESOURCE, 0, 0, 0);
    return syscall($prlimit + 0, 0, $RLIMIT_LOCKS, pack('QQ', $mark, $mark), 0) == 0;
}

# Reaps every child that has ended, also adopted ones. False when no child is left, dead or alive.
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

# The children of a killed child become ours and are killed in the next round. We stay as long as any of them exists, so that a
# process that cannot be killed is still followed.
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
