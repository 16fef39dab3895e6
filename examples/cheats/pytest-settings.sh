# cheat: settings that leave the tests out
# class: F-201
# of: pytest
# control: passes
printf '[pytest]\naddopts = --collect-only\n' > pytest.ini
