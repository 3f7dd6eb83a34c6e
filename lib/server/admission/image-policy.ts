import { durationText } from '#lib/machinery/duration.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { count, flag } from '#lib/machinery/unstructured.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';

/** The configuration of ImagePolicyWebhook. Times are in ms. 0 disables caching, or means retries without a pause. */
export interface ImagePolicy {
  readonly backend: ClientConfig;
  readonly allowTtl: number;
  readonly denyTtl: number;
  readonly retryBackoff: number;
  readonly defaultAllow: boolean;
}

interface Times {
  /** The unit of the file's numbers in ns. */
  readonly unit: bigint;
  readonly least: bigint;
  readonly most: bigint;
  readonly usual: bigint;
}

const SECOND = 1_000_000_000n;
const TTL: Times = { unit: SECOND, least: SECOND, most: 1800n * SECOND, usual: 300n * SECOND };
const TIMES: Readonly<Record<'allowTTL' | 'denyTTL' | 'retryBackoff', Times>> = {
  allowTTL: TTL,
  denyTTL: { ...TTL, usual: 30n * SECOND },
  retryBackoff: { unit: 1_000_000n, least: 1n, most: 300n * SECOND, usual: 500_000_000n },
};
const PATH = FieldPath.of('imagePolicy');

/** Reads the plugin's document. `backend` comes from its kubeconfig. A time of 0 means the default, -1 means none. */
export function readImagePolicy(
  document: JsonObject,
  backend: ClientConfig | undefined,
): { readonly value: ImagePolicy | undefined; readonly faults: readonly FieldError[] } {
  const given = objectAt(document, 'imagePolicy');
  const faults: FieldError[] = backend === undefined ? [required(PATH.child('kubeConfigFile'))] : [];
  const milliseconds = (field: keyof typeof TIMES): number => {
    const { unit, least, most, usual } = TIMES[field];
    const asked = BigInt(count(given, field));
    if (asked === -1n) return 0;
    const time = asked === 0n ? usual : asked * unit;
    if (time < least || time > most) {
      const bounds = `${durationText(least)} and ${durationText(most)}`;
      const detail = `valid value is between ${bounds}, got ${durationText(time)}`;
      faults.push(invalid(PATH.child(field), asked, detail));
    }
    return Number(time / 1_000_000n);
  };
  const times = {
    allowTtl: milliseconds('allowTTL'),
    denyTtl: milliseconds('denyTTL'),
    retryBackoff: milliseconds('retryBackoff'),
  };
  const value = backend && { backend, ...times, defaultAllow: flag(given, 'defaultAllow') === true };
  return { value, faults };
}
