# cheat: a module that takes the runner's name
# class: F-201
# of: pytest
# control: passes
echo 'raise SystemExit(0)' > pytest.py
