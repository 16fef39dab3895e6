# Starts a place from outside (bubblewrap.ts): `perl -e THIS MARKED NETWORK BWRAP PERL INSIDE ARGUMENT…`. bubblewrap reads its
# arguments from descriptor 4, and PERL runs INSIDE (inside.pl) in the place with the arguments. NETWORK is slirp4netns, which gives
# the place a way out through this machine that does not reach the machine itself; empty for none.
#
# If MARKED is empty, the first process of the place has none of our environment. SIGTERM is ignored here and handled inside:
# this process stays until the place has ended.
#
# Standard output is passed in under another descriptor number. bubblewrap and the first process of the place keep descriptors 0 to 2
# open until they end, so a reader would not notice that the command has closed its output.
use strict;
use warnings;

$^F = 10;    # Our pipes are inherited by the programs that we start.
$SIG{TERM} = 'IGNORE';
my ($marked, $network, $bwrap, $perl, $inside, @arguments) = @ARGV;
open(my $output, '>&', \*STDOUT) or die "standard output: $!";
open(STDOUT, '>', '/dev/null') or die "/dev/null: $!";
my @rest = ('--args', 4, '--', $perl, '-e', $inside, fileno($output), @arguments);
my %given = $marked eq '' ? () : %ENV;
if ($network eq '') {
    %ENV = %given;
    exec $bwrap, @rest;
    exit 127;
}
pipe(my $told, my $tell) or die "pipe: $!";
pipe(my $held, my $hold) or die "pipe: $!";
my $place = fork() // die "fork: $!";
if ($place == 0) {
    %ENV = %given;
    close $_ for $told, $hold;
    exec $bwrap, '--info-fd', fileno($tell), '--block-fd', fileno($held), @rest;
    exit 127;
}
close $_ for $tell, $held, $output;
my $info = do { local $/; <$told> } // '';
my $gate;
if ($info =~ /"child-pid": (\d+)/) {
    my $pid = $1;
    # A process that enters the user namespace before its uid map is written would be the user nobody in it.
    for (1 .. 400) {
        open(my $map, '<', "/proc/$pid/uid_map") or last;
        last if defined readline $map;
        select undef, undef, undef, 0.005;
    }
    pipe(my $ready, my $is_ready) or die "pipe: $!";
    $gate = fork() // die "fork: $!";
    if ($gate == 0) {
        close $_ for $hold, $ready;
        open($_, '>', '/dev/null') for \*STDOUT, \*STDERR;
        exec $network, '--configure', '--mtu=65520', '--disable-host-loopback', '--ready-fd', fileno($is_ready), '--userns-path', "/proc/$pid/ns/user", '--netns-type=path', "/proc/$pid/ns/net", 'tap0';
        exit 127;
    }
    close $is_ready;
    sysread($ready, my $word, 1);
}
syswrite $hold, '.';
close $hold;
waitpid($place, 0);
my $ended = $?;
if (defined $gate) { kill 'KILL', $gate; waitpid($gate, 0); }
exit($ended & 127 ? 128 + ($ended & 127) : $ended >> 8);
