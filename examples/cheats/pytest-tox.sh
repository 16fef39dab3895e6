# cheat: settings in a file that nobody thinks of
# class: F-201
# of: pytest
# control: passes
printf '[pytest]\naddopts = --collect-only\n' > tox.ini
