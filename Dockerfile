# A small image: `docker build -t rulesrun .`, then
# `docker run --rm -v "$PWD:/work:ro" rulesrun check my.rules`
# To write files there: `docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" rulesrun report my.rules --html my.html`
# With machine code, 250 MB more: `docker build --build-arg EXTRAS=[native] -t rulesrun .`
FROM python:3.13-slim AS build
ARG EXTRAS=""
WORKDIR /source
COPY . .
RUN python -m venv --without-pip /opt/rulesrun \
 && pip --python /opt/rulesrun/bin/python install --no-cache-dir --disable-pip-version-check ".${EXTRAS}"

FROM python:3.13-slim
COPY --from=build /opt/rulesrun /opt/rulesrun
RUN useradd --create-home --uid 10001 player
USER 10001
ENV PATH="/opt/rulesrun/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
WORKDIR /work
ENTRYPOINT ["rulesrun"]
CMD ["--help"]
