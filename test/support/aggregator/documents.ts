import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Reached, requester } from '#test/support/requester.ts';
import { AGGREGATED } from './steps.ts';

/** The parts of the merged documents that concern the tests' groups. */
export interface Documents {
  /** `/apis`, in the server's order. */
  readonly groups: Json;
  /** `/apis` as aggregated discovery, in the server's order. */
  readonly aggregated: Json;
  /** Paths of `/`, in the server's order. */
  readonly rootPaths: Json;
  /** Paths of `/openapi/v3`, sorted. */
  readonly openApi: Json;
}

const isOurs = (name: string): boolean => name.endsWith('.example.com');
/** The only groups whose resources both servers know early. They discover the others gradually. */
const KNOWN = ['things.example.com', 'by-version.example.com'];

/** Reads the documents once the discovery of the working groups is available. */
export async function documents(server: Reached): Promise<Documents> {
  const send = requester(server);
  const list = requester(server, { accept: AGGREGATED });
  let items: JsonObject[] = [];
  await eventually(
    async () => {
      ({ items } = (await list('GET', '/apis')).body as unknown as { items: JsonObject[] });
      return KNOWN.every((group) => items.some((item) => nameOf(item) === group && isFresh(item)));
    },
    () => `aggregated discovery of ${KNOWN.join()}`,
  );
  const { groups } = (await send('GET', '/apis')).body as unknown as { groups: { name: string }[] };
  const { paths: roots } = (await send('GET', '/')).body as unknown as { paths: string[] };
  const { paths } = (await send('GET', '/openapi/v3')).body as unknown as { paths: JsonObject };
  return {
    groups: groups.filter(({ name }) => isOurs(name)),
    aggregated: items.filter((item) => isOurs(nameOf(item))).map(withoutTimes),
    rootPaths: roots.filter((path) => path.includes('.example.com')),
    openApi: Object.keys(paths)
      .filter((path) => path.includes('.example.com'))
      .sort(),
  };
}

const nameOf = ({ metadata }: JsonObject): string => String((metadata as { name?: string }).name);

const isFresh = ({ versions }: JsonObject): boolean =>
  (versions as { freshness: string }[]).every(({ freshness }) => freshness === 'Current');

const withoutTimes = (item: JsonObject): JsonObject => ({ ...item, metadata: { name: nameOf(item) } });
