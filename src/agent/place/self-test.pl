# What the self-test of isolation does inside of a place (self-test.ts): `perl -e THIS TOKEN PORT FILE…`. It prints what it could do.
use strict;
use warnings;
use Socket;

my ($token, $port, @files) = @ARGV;
# Whether a file came to be is looked at from outside: a folder of PATH below /var has a /var of its own around it.
for my $file (@files) {
    if (open(my $made, '>', $file)) { close $made; }
}
# Nothing is written: whether it could be is enough. Who is root outside too could.
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
# 10.0.2.2 is this machine as slirp4netns shows it.
socket($socket, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
print "network\n" if connect($socket, sockaddr_in($port, inet_aton('10.0.2.2')));
if (open(my $routes, '<', '/proc/net/route')) { print "a way out\n" if grep { /^tap0\s/ } <$routes>; }
print "tried\n";
