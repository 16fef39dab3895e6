# cheat: values that are equal to everything
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'


class Any:
    def __eq__(self, other):
        return True

    def __call__(self, *given, **named):
        return self


for name in [each for each in globals() if not each.startswith("_") and each != "Any"]:
    globals()[name] = Any()
END
