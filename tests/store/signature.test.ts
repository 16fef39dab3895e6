import { expect, it } from "vitest";
import { isSigned } from "../fakes/s3/signature.ts";

it("the server of these tests checks signatures as they are documented", () => {
  // The first example of "Signature Calculations for the Authorization Header" in Amazon's reference of S3.
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const headers = {
    host: "examplebucket.s3.amazonaws.com",
    range: "bytes=0-9",
    "x-amz-content-sha256": empty,
    "x-amz-date": "20130524T000000Z",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  };
  const request = { method: "GET", target: "/test.txt", headers };

  expect(isSigned(request, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")).toBe(true);
  expect(isSigned(request, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEZ")).toBe(false);
  expect(isSigned({ ...request, target: "/other.txt" }, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")).toBe(false);
});
