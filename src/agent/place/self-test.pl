# The self-test of isolation inside a place (isolation.ts): `perl -e THIS TOKEN PORT FILE…`. It prints what it was able to do.
use strict;
use warnings;
use Socket;

my ($token, $port, @files) = @ARGV;
# Whether a file was created is checked from outside: a folder of PATH below /var has its own /var around it.
for my $file (@files) {
    if (open(my $made, '>', $file)) { close $made; }
}
# Nothing is written: opening the file for writing is enough. It succeeds for a process that is root outside too.
for my $setting ('sys/kernel/core_pattern', 'sys/vm/drop_caches', 'sysrq-trigger') {
    open(my $kernel, '>>', "/proc/$setting") and print "files\n";
}
for my $path (glob '/proc/[0-9]*/environ') {
    open(my $entry, '<', $path) or next;
    local $/;
    print "processes\n" if index(<$entry> // '', $token) >= 0;
}
socket(my $socket, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
print "network\n" if connect($socket, sockaddr_in($port, INADDR_LOOPBACK));
# slirp4netns shows this machine as 10.0.2.2.
socket($socket, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
print "network\n" if connect($socket, sockaddr_in($port, inet_aton('10.0.2.2')));
if (open(my $routes, '<', '/proc/net/route')) { print "a way out\n" if grep { /^tap0\s/ } <$routes>; }
print "tried\n";
