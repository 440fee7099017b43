# Every step that is more than copying is in deploy/, where a test runs it on a bare file system
ARG NODE_IMAGE=node:26.10.0-bookworm-slim
FROM $NODE_IMAGE AS build
WORKDIR /app
COPY . .
RUN sh deploy/build-image.sh

FROM $NODE_IMAGE
COPY deploy/install-image.sh /tmp/install-image.sh
RUN sh /tmp/install-image.sh && rm /tmp/install-image.sh
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/deploy/wheelhouse-operate /usr/local/bin/
USER wheelhouse
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4600 DATA_DIR=/data
VOLUME /data
EXPOSE 4600
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4600/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The server is told to stop and ends its orders in hand; it must be the one that hears it
STOPSIGNAL SIGTERM
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
