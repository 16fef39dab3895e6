import type { SettingGroup } from "./setting.ts";

/** Where state is stored: disks, databases, stores. */
export const dataSettings = [
  {
    title: "Where things are",
    settings: [
      {
        name: "COS_DATA_DIR",
        usual: ".data beside .env",
        example: "/var/lib/cos",
        about:
          "The folder for state: the embedded database, mirrors, worktrees, kept output. A relative path starts at the folder of .env.",
      },
      {
        name: "DATABASE_URL",
        usual: "an embedded PostgreSQL",
        example: "postgresql://user:password@127.0.0.1:5432/cos",
        about: "PostgreSQL 15 or newer to use instead of the embedded one.",
        isSecret: true,
      },
      {
        name: "PGPASSWORD",
        usual: null,
        example: "",
        about: "The database's password, where DATABASE_URL has none.",
        isSecret: true,
      },
      {
        name: "REDIS_URL",
        usual: "the queue is in PostgreSQL",
        example: "redis://127.0.0.1:6379",
        about: "Run the queue on Redis or Valkey.",
        isSecret: true,
      },
      {
        name: "COS_STORE_URL",
        usual: "kept output stays on the machine that made it",
        example: "https://s3.example.com/cos?region=eu-central-1",
        about:
          "Several machines: where kept output goes too, so that every console shows it. postgres, or a bucket of an S3-compatible store.",
      },
      {
        name: "COS_STORE_KEY",
        usual: null,
        example: "",
        about: "The access key of that bucket.",
        isSecret: true,
      },
      {
        name: "COS_STORE_SECRET",
        usual: null,
        example: "",
        about: "The secret key of that bucket.",
        isSecret: true,
      },
      {
        name: "COS_MIN_FREE_MB",
        usual: "500",
        example: "500",
        about: "Below this many MB free (data directory, the embedded database's place) no goal starts; 0: never mind.",
      },
    ],
  },
] as const satisfies readonly SettingGroup[];
