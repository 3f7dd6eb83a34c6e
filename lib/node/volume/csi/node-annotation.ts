import * as z from 'zod';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { marshal, quote } from '#lib/machinery/go.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';

const ids = z.record(z.string(), z.string());

/** The node ids in the annotation, by driver. Throws if the annotation is not a map of strings. */
export function nodeIDs(annotation: string | undefined): Readonly<Record<string, string>> {
  if (annotation === undefined || annotation === '') return {};
  try {
    return ids.parse(JSON.parse(annotation));
  } catch (error) {
    const what = `failed to parse node's "csi.volume.kubernetes.io/nodeid" annotation value (${quote(annotation)})`;
    throw new Error(`${what} err=${messageOfError(error)}`, { cause: error });
  }
}

/** The annotation with a new id for a driver, or without the driver. '' if it names no driver. Undefined if it does not change. */
export function withNodeID(
  before: Readonly<Record<string, string>>,
  driver: string,
  nodeID: string | undefined,
): string | undefined {
  const others = sortedEntries(before).filter(([name]) => name !== driver);
  const known = Object.hasOwn(before, driver) ? before[driver] : undefined;
  if (known === nodeID) return undefined;
  const all = nodeID === undefined ? others : sortedEntries(Object.fromEntries([...others, [driver, nodeID]]));
  return all.length === 0 ? '' : marshal(Object.fromEntries(all));
}
