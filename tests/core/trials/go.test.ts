import { describe, expect, it } from "vitest";
import { readGoTests } from "../../../src/core/trials/go-report.ts";
import { sourceMisses, testMisses } from "../../../src/core/trials/near-miss.ts";
import { titlesToFind } from "../../../src/core/trials/plan.ts";

const said = `=== RUN   TestPrice
=== RUN   TestPrice/two_pieces
    price_test.go:21: Price(2) = 83, want 82
=== RUN   TestSum
--- FAIL: TestPrice (0.00s)
    --- FAIL: TestPrice/two_pieces (0.00s)
--- PASS: TestSum (0.00s)
--- SKIP: TestSlow (0.00s)
FAIL
FAIL\tshop\t0.002s
=== RUN   TestSum
--- PASS: TestSum (0.00s)
ok  \tshop/tax\t0.002s
`;

describe("what go test says of its tests", () => {
  it("has their names, without their packages, with their parts in brackets", () => {
    expect(readGoTests(said)).toEqual({
      type: "names",
      tests: [
        { name: "TestPrice", outcome: "failed" },
        { name: "TestPrice[two_pieces]", outcome: "failed" },
        { name: "TestSum", outcome: "passed" },
        { name: "TestSlow", outcome: "skipped" },
        { name: "TestSum #2", outcome: "passed" },
      ],
    });
    expect(titlesToFind(readGoTests(said), null)).toEqual(["TestSum"]);
  });

  it("is nothing where nothing was built, or it was not asked", () => {
    expect(readGoTests("ok  \tshop\t0.002s\n")).toBeNull();
    expect(readGoTests("FAIL\tshop [build failed]\nFAIL\n")).toBeNull();
  });
});

describe("near misses in Go", () => {
  const text = `package shop

import (
	"testing"
	"strings"
)

func TestSum(t *testing.T) {
	if sum := add(1, 1); sum != 2 {
		t.Fatalf("got %d", sum)
	}
}

func TestPrice(t *testing.T) {
	cases := []struct{ n, want int }{{3, 123}}
	for _, each := range cases {
		t.Run("each", func(t *testing.T) {
			if got := Price(each.n); got != each.want {
				t.Errorf("got %d", got)
			}
		})
	}
}
`;
  const whats = (titles: readonly string[]) => testMisses("price_test.go", text, titles).map(({ what }) => what);

  it("change what a condition or a table of a test holds, never a package or what is only said", () => {
    expect(whats(["TestPrice"])).toEqual([
      "price_test.go:15: 3 became 4",
      "price_test.go:15: 123 became 124",
      "price_test.go: 5 values changed",
    ]);
    expect(whats(["TestSum"])[0]).toBe("price_test.go:9: 1 became 2");
  });

  it("leave pointers, channels and letters of a source as they are", () => {
    const source = "func f(p *int) bool {\n\tv := <-in\n\treturn *p == v && s != 'a' && n < 3\n}\n";
    const all = sourceMisses("price.go", source, new Set([0, 1, 2])).at(-1);

    expect(all?.text).toBe("func f(p *int) bool {\n\tv := <-in\n\treturn *p != v || s == 'a' || n >= 4\n}\n");
  });
});
