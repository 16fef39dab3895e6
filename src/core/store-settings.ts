/** The longest content, in bytes, before it is compressed: what is longer is kept on its machine alone. */
export const longestStored = 64 * 1024 * 1024;

/** Where kept output is put so that every machine can show it. */
export type StoreSettings =
  | { readonly type: "postgres" }
  | {
      readonly type: "s3";
      /** Of the bucket, with a folder in it where one was given; no slash at its end. */
      readonly address: string;
      readonly region: string;
      readonly key: string;
      readonly secret: string;
    };
