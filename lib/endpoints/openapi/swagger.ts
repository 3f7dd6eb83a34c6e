import { encodeGnostic } from '#lib/api/openapi/gnostic.ts';
import { joinedParts, swaggerHead, swaggerPart, withKindsOf, type SwaggerPart } from '#lib/api/openapi/v2.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { Recent } from '#lib/machinery/recent.ts';
import type { CustomVersion } from '#lib/registry/resources.ts';
import { GIT_VERSION } from '../version.ts';
import { builtInSources, forSwagger } from './documents.ts';

/** How many bytes of custom group versions are kept, for both forms together. */
const KEPT = 32 * 1024 * 1024;
/** About what one definition says. */
const WEIGHT = 20_000;

/** What one group version says: entries of paths and of definitions, in JSON without the braces. */
interface Fragment {
  readonly paths: string;
  readonly definitions: string;
}

/** The one OpenAPI v2 document, in pieces: of each group version that did not change what it said before is said again. */
export class Swagger {
  readonly #fragments = new Recent<CustomVersion, Fragment>(KEPT / 2);
  readonly #messages = new Recent<CustomVersion, Uint8Array>(KEPT / 2);
  #builtIn: SwaggerPart | undefined;

  /** JSON. A turn of the event loop passes between two group versions. */
  async *json(versions: readonly CustomVersion[]): AsyncGenerator<Uint8Array> {
    const first = this.#first(versions);
    const { swagger, info, ...rest } = swaggerHead(GIT_VERSION);
    yield bytes(`{${entries({ swagger: swagger ?? '', info: info ?? {} })},"paths":{${entries(first.paths)}`);
    for (const version of versions) yield bytes(following(this.#fragment(version).paths));
    yield bytes(`},"definitions":{${entries(first.definitions)}`);
    for (const version of versions) yield bytes(following(this.#fragment(version).definitions));
    yield bytes(`},${entries(rest)}}`);
  }

  /** gnostic's protobuf: a message's parts, one behind the other, are that message. */
  async *gnostic(versions: readonly CustomVersion[]): AsyncGenerator<Uint8Array> {
    yield encodeGnostic({ ...swaggerHead(GIT_VERSION), ...this.#first(versions) });
    for (const version of versions) {
      yield this.#messages.get(version, weightOf(version), () => encodeGnostic({ ...customPart(version) }));
    }
  }

  /** Built-in kinds, of which some are kinds of every group. */
  #first(versions: readonly CustomVersion[]): SwaggerPart {
    this.#builtIn ??= joinedParts(builtInSources().map(({ make }) => swaggerPart(make())));
    return withKindsOf(this.#builtIn, versions);
  }

  #fragment(version: CustomVersion): Fragment {
    return this.#fragments.get(version, weightOf(version), () => {
      const { paths, definitions } = customPart(version);
      return { paths: entries(paths), definitions: entries(definitions) };
    });
  }
}

const weightOf = ({ definitions }: CustomVersion): number => definitions.length * WEIGHT;
const customPart = (version: CustomVersion): SwaggerPart => joinedParts([swaggerPart(forSwagger(version))]);
const entries = (object: JsonObject): string => encodeJson(object).slice(1, -1);
const following = (text: string): string => (text === '' ? '' : `,${text}`);
const bytes = (text: string): Uint8Array => Buffer.from(text);
