import { encodeGnostic } from '#lib/api/openapi/gnostic.ts';
import { type MergeDestination, mergeSpecs } from '#lib/api/openapi/merge-specs.ts';
import type { Spec } from '#lib/api/openapi/spec.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { RemoteSpec } from '../aggregation.ts';
import { Packed } from './packed.ts';

/** One server's part of the merged document: compressed JSON fields. */
interface MergedPart {
  readonly paths: Packed;
  readonly definitions: Packed;
  readonly parameters: Packed;
  message?: Packed;
}

/** The parts of other servers' documents, merged with this server's own and with each other. */
export class MergedSwagger {
  /** This server's own definitions to which the merge added kinds, by name. */
  readonly changed: ReadonlyMap<string, JsonObject>;
  readonly #parts: readonly MergedPart[];

  constructor(own: MergeDestination, remote: readonly RemoteSpec[]) {
    const { parts, changed } = mergeSpecs(
      own,
      remote.map(({ spec }) => spec()),
    );
    this.changed = changed;
    this.#parts = parts.map(packed);
  }

  /** Yields the fields of `paths`, `definitions` or `parameters` that come from other servers. A comma precedes each but the first. */
  *fields(of: 'paths' | 'definitions' | 'parameters', isFirst: boolean): Generator<Uint8Array> {
    let comma = isFirst ? '' : ',';
    for (const part of this.#parts) {
      const text = part[of].unpacked();
      if (text.length === 0) continue;
      if (comma !== '') yield Buffer.from(comma);
      yield text;
      comma = ',';
    }
  }

  /** Yields the same parts as gnostic's protobuf. */
  async *messages(turn: Turn): AsyncGenerator<Uint8Array> {
    for (const part of this.#parts) {
      part.message ??= new Packed(messageOf(part));
      await turn?.();
      yield part.message.unpacked();
    }
  }
}

function packed(spec: Spec): MergedPart {
  const fields = (of: ReadonlyMap<string, JsonObject>) => new Packed(encodeJson(Object.fromEntries(of)).slice(1, -1));
  return { paths: fields(spec.paths), definitions: fields(spec.definitions), parameters: fields(spec.parameters) };
}

/** Returns a document in gnostic's protobuf. The binary form omits a document that does not fit gnostic's types. */
function messageOf({ paths, definitions, parameters }: MergedPart): Uint8Array {
  const object = (of: Packed) => decodeJson(Buffer.concat([Buffer.from('{'), of.unpacked(), Buffer.from('}')])).value;
  try {
    return encodeGnostic({ paths: object(paths), definitions: object(definitions), parameters: object(parameters) });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)
      return new Uint8Array();
    throw error;
  }
}
