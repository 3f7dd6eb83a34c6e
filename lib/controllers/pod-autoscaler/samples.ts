import type { Client } from '#lib/client/client.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import { has, integer, items, text } from '#lib/machinery/unstructured.ts';
import type { Samples } from './sample.ts';

const NANOSECONDS = 1_000_000n;
/** The default window of a sample in seconds. */
const WINDOW = 60;

const milli = (value: string): number => Number(quantityMilliValue(parseQuantity(value)));
const timeOf = (metric: JsonObject): number => Date.parse(text(metric, 'timestamp')) || 0;

/** Reads metrics through the API, if aggregated servers provide them. Returns a message if there are none. */
export class Metrics {
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** The pods' usage of a resource, or that of one container of each pod. */
  async ofResource(resource: string, container: string, labelSelector: string): Promise<Samples | string> {
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${this.#namespace}/pods`;
    const found = await this.#read(path, { labelSelector }, 'resource', 'pods.metrics.k8s.io');
    if (typeof found === 'string') return found;
    return new Map(
      found.flatMap((metric) => {
        const value = usageOf(metric, resource, container);
        if (value === undefined) return [];
        const window = Number(parseDuration(text(metric, 'window') || '0s') / NANOSECONDS);
        return [[nameOf(metric), { value, time: timeOf(metric), window }] as const];
      }),
    );
  }

  /** The samples of a custom metric of pods. */
  async ofPods(metric: string, labelSelector: string, metricLabelSelector: string): Promise<Samples | string> {
    const found = await this.#custom(`pods/*/${encodeURIComponent(metric)}`, { labelSelector, metricLabelSelector });
    if (typeof found === 'string') return found;
    return new Map(
      found.map((one) => {
        const window = Number(integer(one, 'windowSeconds') ?? WINDOW) * 1000;
        const sample = { value: milli(text(one, 'value')), time: timeOf(one), window };
        return [text(objectAt(one, 'describedObject'), 'name'), sample] as const;
      }),
    );
  }

  /** The value of a custom metric in thousandths. `object` is `resource.group/name`, or empty for the namespace itself. */
  async ofObject(object: string, metric: string, metricLabelSelector: string): Promise<number | string> {
    const at = object === '' ? 'metrics' : object;
    const found = await this.#custom(`${at}/${encodeURIComponent(metric)}`, { metricLabelSelector });
    return typeof found === 'string' ? found : milli(text(found[0], 'value'));
  }

  /** The sum of all values of an external metric, in thousandths. */
  async external(metric: string, labelSelector: string): Promise<number | string> {
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${this.#namespace}/${encodeURIComponent(metric)}`;
    const found = await this.#read(path, { labelSelector }, 'external', `${metric}.external.metrics.k8s.io`);
    return typeof found === 'string' ? found : found.reduce((sum, one) => sum + milli(text(one, 'value')), 0);
  }

  #custom(what: string, query: Record<string, string>): Promise<readonly JsonObject[] | string> {
    const path = `/apis/custom.metrics.k8s.io/v1beta2/namespaces/${this.#namespace}/${what}`;
    return this.#read(path, query, 'custom', 'custom.metrics.k8s.io');
  }

  async #read(
    path: string,
    query: Record<string, string>,
    api: string,
    what: string,
  ): Promise<readonly JsonObject[] | string> {
    const said = Object.entries(query).filter(([, value]) => value !== '');
    const target = said.length === 0 ? path : `${path}?${new URLSearchParams(said).toString()}`;
    try {
      const list = items(await this.#client.document(target), 'items');
      return list.length === 0 ? `no metrics returned from ${api} metrics API` : list;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return `unable to fetch metrics from ${api} metrics API: ${whyNot(error, what)}`;
    }
  }
}

/** The message of a rejection, worded like upstream's clients if no server provides metrics. */
const whyNot = ({ reason, message }: StatusError, what: string): string =>
  reason === 'NotFound' ? `the server could not find the requested resource (get ${what})` : message;

/** The usage in a sample, in thousandths. Undefined if it is missing for a container. */
function usageOf(metric: JsonObject, resource: string, container: string): number | undefined {
  const all = items(metric, 'containers').filter((one) => container === '' || text(one, 'name') === container);
  if (all.length === 0 || all.some((one) => !has(objectAt(one, 'usage'), resource))) return undefined;
  return all.reduce((sum, one) => sum + milli(text(objectAt(one, 'usage'), resource)), 0);
}
