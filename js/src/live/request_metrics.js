/**
 * Counts requests as client-go does, around a `fetch`. Counterpart:
 * component-base/metrics/prometheus/restclient, v1.36.
 */
import { steadyClock } from '../runtimes/steady_clock.js';
import { HistogramFamily, NumberFamily } from './metric_families.js';

/**
 * @import { Clock } from '../engine/types.js'
 * @import { MetricFamily } from './metrics_text.js'
 */

/** @typedef {(request: Request) => Promise<Response>} Fetch */

const LATENCY_BOUNDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** The code of a request without a response. */
const NO_ANSWER = '<error>';

class RequestMetrics {
  #clock;
  #requests = new NumberFamily('counter', {
    name: 'rest_client_requests_total',
    help: 'Number of HTTP requests to the API server, by status code, method and host.',
    stability: 'ALPHA',
    labels: ['code', 'method', 'host'],
  });
  #latency = new HistogramFamily({
    name: 'rest_client_request_duration_seconds',
    help: 'Time until the API server answers a request, by verb and host.',
    stability: 'ALPHA',
    labels: ['verb', 'host'],
    bounds: LATENCY_BOUNDS,
  });

  /** @param {{ clock?: Clock }} [options] default: the host's timer */
  constructor({ clock = steadyClock() } = {}) {
    this.#clock = clock;
  }

  /**
   * Returns the same `fetch` with metrics: each attempt counts as a request.
   * @param {Fetch} [fetch] default: the host's
   * @returns {Fetch}
   */
  counted(fetch = (request) => globalThis.fetch(request)) {
    return async (request) => {
      const { host } = new URL(request.url);
      const start = this.#clock.now();
      let code = NO_ANSWER;
      try {
        const response = await fetch(request);
        code = String(response.status);
        return response;
      } finally {
        this.#requests.add([code, request.method, host]);
        this.#latency.observe([request.method, host], (this.#clock.now() - start) / 1000);
      }
    };
  }

  /** @returns {MetricFamily[]} */
  families() {
    return [this.#requests.family(), this.#latency.family()];
  }
}

/**
 * Counts the requests of a client that is made with `counted(fetch)` as its `fetch`.
 * @param {{ clock?: Clock }} [options]
 */
export function createRequestMetrics(options) {
  return new RequestMetrics(options);
}
