# A small image: `docker build -t rulesrun .`, then
# `docker run --rm -v "$PWD:/work:ro" rulesrun check my.rules`
# With machine code, 250 MB more: `docker build --build-arg EXTRAS=[native] -t rulesrun .`
FROM python:3.13-slim AS build
ARG EXTRAS=""
WORKDIR /source
COPY . .
RUN python -m venv /opt/rulesrun && /opt/rulesrun/bin/pip install --no-cache-dir --disable-pip-version-check ".${EXTRAS}"

FROM python:3.13-slim
COPY --from=build /opt/rulesrun /opt/rulesrun
RUN useradd --create-home --uid 10001 player
USER player
ENV PATH="/opt/rulesrun/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
WORKDIR /work
ENTRYPOINT ["rulesrun"]
CMD ["--help"]
