import { createHash } from 'node:crypto';
import { encodeGnostic } from '#lib/api/openapi/gnostic.ts';
import { joinedParts, swaggerHead, swaggerPart, withKindsOf, type SwaggerPart } from '#lib/api/openapi/v2.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { CustomVersion } from '#lib/registry/resources.ts';
import { GIT_VERSION } from '../version.ts';
import { builtInSources, forSwagger, revisionOf } from './documents.ts';
import { Packed } from './packed.ts';

/** The part of the document that comes from one definition. */
interface Fragment {
  readonly paths: Packed;
  readonly definitions: Packed;
}

/**
 * The one OpenAPI v2 document, in pieces that are kept as long as their definition is what it is. Who writes them to a
 * client serves other requests between two pieces.
 */
export class Swagger {
  readonly #fragments = new WeakMap<ResourceDefinition, Fragment>();
  readonly #messages = new WeakMap<ResourceDefinition, Packed>();
  #builtIn: SwaggerPart | undefined;

  /** Changes with what the document says. */
  etag(versions: readonly CustomVersion[]): string {
    const hash = createHash('sha512').update(GIT_VERSION);
    for (const version of versions) hash.update(`,${revisionOf(version)}`);
    return `"${hash.digest('hex').toUpperCase()}"`;
  }

  async *json(versions: readonly CustomVersion[], turn: Turn): AsyncGenerator<Uint8Array> {
    const first = this.#first(versions);
    const all = versions.flatMap(({ definitions }) => definitions);
    const { swagger, info, ...rest } = swaggerHead(GIT_VERSION);
    yield Buffer.from(`{${entries({ swagger: swagger ?? '', info: info ?? {} })},"paths":{${entries(first.paths)}`);
    for (const one of all) yield (await this.#fragment(one, turn)).paths.unpacked();
    yield Buffer.from(`},"definitions":{${entries(first.definitions)}`);
    for (const one of all) yield (await this.#fragment(one, turn)).definitions.unpacked();
    yield Buffer.from(`},${entries(rest)}}`);
  }

  /** gnostic's protobuf: a message's parts, one behind the other, are that message. */
  async *gnostic(versions: readonly CustomVersion[], turn: Turn): AsyncGenerator<Uint8Array> {
    yield encodeGnostic({ ...swaggerHead(GIT_VERSION), ...this.#first(versions) });
    for (const one of versions.flatMap(({ definitions }) => definitions)) {
      const message = this.#messages.get(one) ?? (await messageOf(one, turn));
      this.#messages.set(one, message);
      yield message.unpacked();
    }
  }

  /** Built-in kinds, of which some are kinds of every group. */
  #first(versions: readonly CustomVersion[]): SwaggerPart {
    this.#builtIn ??= joinedParts(builtInSources().map(({ make }) => swaggerPart(make())));
    return withKindsOf(this.#builtIn, versions);
  }

  async #fragment(definition: ResourceDefinition, turn: Turn): Promise<Fragment> {
    const known = this.#fragments.get(definition);
    if (known !== undefined) return known;
    const { paths, definitions } = await partOf(definition, turn);
    await turn?.();
    const text = `,${entries(definitions)}`;
    await turn?.();
    const made = { paths: new Packed(`,${entries(paths)}`), definitions: new Packed(text) };
    this.#fragments.set(definition, made);
    return made;
  }
}

async function partOf(definition: ResourceDefinition, turn: Turn): Promise<SwaggerPart> {
  const document = await forSwagger(definition, turn);
  await turn?.();
  return swaggerPart(document);
}

async function messageOf(definition: ResourceDefinition, turn: Turn): Promise<Packed> {
  const part = await partOf(definition, turn);
  await turn?.();
  const message = encodeGnostic({ ...part });
  await turn?.();
  return new Packed(message);
}

/** The fields of an object as JSON, without the braces. */
const entries = (object: JsonObject): string => encodeJson(object).slice(1, -1);
