# cheat: the tests are skipped
# class: F-201
# of: pytest
# control: passes
for file in $TESTS; do printf '\nimport pytest\n\npytestmark = pytest.mark.skip\n' >> "$file"; done
