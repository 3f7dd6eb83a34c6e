import type { Convert } from '#lib/api/patch/apply/versions.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ConversionPending } from '#lib/server/registry/conversion-pending.ts';
import { convertNone } from './none.ts';
import type { Converter } from './webhook.ts';

/** The maximum number of cached conversions, which belong to writes in progress. */
const CAPACITY = 1000;

/**
 * Returns a conversion for managed fields. `typed` applies the schema of another version to an object, which the webhook converts to that
 * version. Throws ConversionPending for an object that is not converted yet.
 */
export function managedConvert(converter: Converter, typed: Convert): Convert {
  const known = new Map<string, JsonObject>();
  return (from, to) => {
    const shown = typed(from, to);
    if (shown === undefined || from.apiVersion === to) return shown;
    const object = convertNone(from.object, from.apiVersion);
    const key = `${to}\n${encodeJson(object)}`;
    const converted = known.get(key);
    if (converted !== undefined) return { ...shown, object: converted };
    throw new ConversionPending(
      converter([object], to).then(([made]) => {
        const [oldest] = known.keys();
        if (known.size >= CAPACITY && oldest !== undefined) known.delete(oldest);
        known.set(key, made as JsonObject);
      }),
    );
  };
}
