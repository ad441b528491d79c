# A worker for agents. This one has the after-sales example in it: for agents of your own, keep the stages
# and replace the example by your code. docs/deploy.md has the rest.
ARG NODE=node:24.18.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY deploy/tsconfig.json deploy/healthcheck.ts ./deploy/
COPY src ./src
COPY examples ./examples
RUN npx tsc -p deploy

# What runs needs the peers of the package and the example's PostgreSQL driver, at the versions of the lock
# file, and no tool of the build.
FROM ${NODE} AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN pg=$(npm pkg get devDependencies.pg | tr -d '"') \
  && npm pkg delete devDependencies && npm pkg set "dependencies.pg=$pg" \
  && npm install --ignore-scripts --no-audit --no-fund \
  # The SDK brings its native library for five platforms.
  && cd node_modules/@temporalio/core-bridge/releases \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-*-linux-gnu" -exec rm -r {} +

FROM ${NODE}
# The SDK's native library takes the system's certificates for TLS, as to Temporal Cloud; a slim image has none.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=modules /app/package.json ./
COPY --from=modules /app/node_modules ./node_modules
COPY --from=build /app/build ./
USER node
# Healthy: the server has seen a worker of this container poll, for workflow tasks and for activities.
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 \
  CMD ["node", "deploy/healthcheck.js"]
# No npm and no shell in between: both would keep SIGTERM from the worker.
ENTRYPOINT ["node", "--enable-source-maps", "src/cli.js"]
CMD ["worker", "--agents", "examples/after-sales/agents.js"]
