/** Maximum size of a stored content in bytes, before compression. Longer content stays on its machine only. */
export const longestStored = 64 * 1024 * 1024;

/** Where stored output goes, so that every machine can show it. */
export type StoreSettings =
  | { readonly type: "postgres" }
  | {
      readonly type: "s3";
      /** The URL of the bucket, with a folder in it if one was given, without a trailing slash. */
      readonly address: string;
      readonly region: string;
      readonly key: string;
      readonly secret: string;
    };
