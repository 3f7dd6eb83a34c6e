import { createHash } from 'node:crypto';
import { encodeGnostic } from '#lib/api/openapi/gnostic.ts';
import type { MergeDestination } from '#lib/api/openapi/merge-specs.ts';
import { joinedParts, type SwaggerPart, swaggerHead, swaggerPart, withKindsOf } from '#lib/api/openapi/v2.ts';
import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import { isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { CustomVersion } from '#lib/server/registry/resources.ts';
import type { RemoteSpec } from '../aggregation.ts';
import { GIT_VERSION } from '../version.ts';
import { builtInSources, forSwagger, revisionOf } from './documents.ts';
import { MergedSwagger } from './merged-swagger.ts';
import { Packed } from './packed.ts';

/** The part of the document that one definition contributes. */
interface Fragment {
  readonly paths: Packed;
  readonly definitions: Packed;
  /** The names of its definitions. */
  readonly names: ReadonlySet<string>;
}

/** The contents of the document, other than built-in kinds. */
export interface SwaggerContents {
  readonly custom: readonly CustomVersion[];
  readonly remote: readonly RemoteSpec[];
}

/**
 * The OpenAPI v2 document, in pieces that are cached until their definition changes. Its writer yields to other requests between two
 * pieces.
 */
export class Swagger {
  readonly #fragments = new WeakMap<ResourceDefinition, Fragment>();
  readonly #messages = new WeakMap<ResourceDefinition, Packed>();
  #builtIn: SwaggerPart | undefined;

  #merged: { readonly etag: string; readonly swagger: MergedSwagger } | undefined;

  /** Returns a hash that changes with the content. */
  etag({ custom, remote }: SwaggerContents): string {
    const hash = createHash('sha512').update(GIT_VERSION);
    for (const version of custom) hash.update(`,${revisionOf(version)}`);
    for (const { group, version, etag } of remote) hash.update(`;${group}/${version}=${etag}`);
    return `"${hash.digest('hex').toUpperCase()}"`;
  }

  async *json(contents: SwaggerContents, turn: Turn): AsyncGenerator<Uint8Array> {
    const { all, first, merged } = await this.#parts(contents, turn);
    const { swagger, info, ...rest } = swaggerHead(GIT_VERSION);
    yield Buffer.from(`{${entries({ swagger: swagger ?? '', info: info ?? {} })},"paths":{${entries(first.paths)}`);
    for (const one of all) yield (await this.#fragment(one, turn)).paths.unpacked();
    yield* merged?.fields('paths', false) ?? [];
    yield Buffer.from(`},"definitions":{${entries(first.definitions)}`);
    for (const one of all) yield (await this.#fragment(one, turn)).definitions.unpacked();
    yield* merged?.fields('definitions', false) ?? [];
    if (merged !== undefined) {
      yield Buffer.from('},"parameters":{');
      yield* merged.fields('parameters', true);
    }
    yield Buffer.from(`},${entries(rest)}}`);
  }

  /** Yields gnostic's protobuf. The concatenated parts of a message form the message. */
  async *gnostic(contents: SwaggerContents, turn: Turn): AsyncGenerator<Uint8Array> {
    const { all, first, merged } = await this.#parts(contents, turn);
    yield encodeGnostic({ ...swaggerHead(GIT_VERSION), ...first });
    for (const one of all) {
      const message = this.#messages.get(one) ?? (await messageOf(one, turn));
      this.#messages.set(one, message);
      yield message.unpacked();
    }
    yield* merged?.messages(turn) ?? [];
  }

  /** Omits definitions of a group version that another server serves, because requests for it go there. */
  async #parts(contents: SwaggerContents, turn: Turn) {
    const { custom, remote } = contents;
    const versions = custom.filter(
      ({ group, version }) => !remote.some((one) => one.group === group && one.version === version),
    );
    const first = this.#first(versions);
    const all = versions.flatMap(({ definitions }) => definitions);
    if (remote.length === 0) return { all, first, merged: undefined };
    const merged = await this.#mergedWith(first, all, contents, turn);
    const definitions = { ...first.definitions };
    for (const [name, definition] of merged.changed) if (name in definitions) definitions[name] = definition;
    return { all, first: { ...first, definitions }, merged };
  }

  async #mergedWith(
    first: SwaggerPart,
    all: readonly ResourceDefinition[],
    contents: SwaggerContents,
    turn: Turn,
  ): Promise<MergedSwagger> {
    const etag = this.etag(contents);
    if (this.#merged?.etag === etag) return this.#merged.swagger;
    const fragments: Fragment[] = [];
    for (const one of all) fragments.push(await this.#fragment(one, turn));
    const swagger = new MergedSwagger(destination(first, fragments), contents.remote);
    this.#merged = { etag, swagger };
    return swagger;
  }

  /** Returns the part of built-in kinds, some of which belong to every group. */
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
    const names = new Set(Object.keys(definitions));
    const made = { paths: new Packed(`,${entries(paths)}`), definitions: new Packed(text), names };
    this.#fragments.set(definition, made);
    return made;
  }
}

/**
 * Returns this server's own document as a merge destination. Unpacks a fragment only if another server has a definition of the same name.
 * Paths of fragments cannot conflict, because they belong to other group versions.
 */
function destination({ paths, definitions }: SwaggerPart, fragments: readonly Fragment[]): MergeDestination {
  return {
    hasPath: (path) => Object.hasOwn(paths, path),
    definition(name) {
      const fragment = fragments.find(({ names }) => names.has(name));
      if (fragment === undefined) return objectAt(definitions, name);
      const text = Buffer.from(fragment.definitions.unpacked()).toString('utf8');
      const { value } = decodeJson(Buffer.from(`{${text.slice(1)}}`));
      return isObject(value) ? objectAt(value, name) : undefined;
    },
  };
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

/** Returns the fields of an object as JSON, without the braces. */
const entries = (object: JsonObject): string => encodeJson(object).slice(1, -1);
