# A small image whose entry point is ludus-trace:
#     docker build -t ludus-trace . && docker run --rm -v "$PWD:/data" ludus-trace summarize game.lcap
FROM debian:12-slim AS build
COPY .ci /source/.ci
RUN /source/.ci/install-packages build
COPY . /source
RUN cmake -S /source -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DLUDUS_BUILD_TESTS=OFF -DLUDUS_BUILD_EXAMPLES=OFF -DLUDUS_BUILD_BENCHMARKS=OFF \
    && cmake --build /build --target ludus-trace \
    && strip /build/ludus-trace

FROM debian:12-slim
COPY .ci /tmp/.ci
RUN /tmp/.ci/install-packages run && rm -rf /tmp/.ci /var/lib/apt/lists/*
COPY --from=build /build/ludus-trace /usr/local/bin/ludus-trace
WORKDIR /data
ENTRYPOINT ["ludus-trace"]
