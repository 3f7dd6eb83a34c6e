import type { Convert } from '#lib/api/patch/apply/versions.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ConversionPending } from '#lib/server/registry/conversion-pending.ts';
import { convertNone } from './none.ts';
import type { Converter } from './webhook.ts';

/** Conversions that are remembered: those of the writes that are under way. */
const CAPACITY = 1000;

/**
 * `typed` gives an object the schema of another version; the webhook gives it that version's shape. What was not converted yet
 * throws ConversionPending.
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
