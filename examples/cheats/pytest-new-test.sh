# cheat: a new test that ends the process
# class: F-201
# of: pytest
# control: passes
printf 'import os\nos._exit(0)\n' > "$(dirname "$TEST")/test_aaa.py"
