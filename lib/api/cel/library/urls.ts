import { Fault } from '#lib/machinery/fault.ts';
import { declare, type FunctionDeclaration, global, member } from '../functions/function.ts';
import type { Library } from '../functions/library.ts';
import { boolType, listType, mapType, objectType, stringType, type Type } from '../types/type.ts';
import { listOf } from '../values/list.ts';
import { mapOf } from '../values/map.ts';
import { error, Opaque, type Result, type Value } from '../values/value.ts';
import { parseUrl, requestUriFault, type Url } from './url.ts';

/** The type of URLs. */
export const urlType: Type = objectType('kubernetes.URL');

/** A URL as a value. */
export class UrlValue extends Opaque {
  readonly type = urlType;
  readonly url: Url;

  constructor(url: Url) {
    super();
    this.url = url;
  }

  equalTo(other: Value): boolean {
    return other instanceof UrlValue && String(this.url) === String(other.url);
  }
}

function stringToUrl(text: string): Result {
  const url = parseUrl(text);
  if (!(url instanceof Fault)) return new UrlValue(url);
  return error(`URL parse error during conversion from string: ${url.message}`);
}

function part(name: string, id: string, read: (url: Url) => string): FunctionDeclaration {
  return declare(
    name,
    member(id, [urlType], stringType, ({ url }: UrlValue) => read(url)),
  );
}

function query({ url }: UrlValue): Result {
  return mapOf([...url.query].map(([name, values]) => [name, listOf(values)] as const));
}

/** Kubernetes' URL library. */
export const urls: Library = {
  name: 'kubernetes.urls',
  functions: [
    declare('url', global('string_to_url', [stringType], urlType, stringToUrl)),
    part('getScheme', 'url_get_scheme', (url) => url.scheme),
    part('getHost', 'url_get_host', (url) => url.host),
    part('getHostname', 'url_get_hostname', (url) => url.hostname),
    part('getPort', 'url_get_port', (url) => url.port),
    part('getEscapedPath', 'url_get_escaped_path', (url) => url.escapedPath),
    declare('getQuery', member('url_get_query', [urlType], mapType(stringType, listType(stringType)), query)),
    declare(
      'isURL',
      global('is_url_string', [stringType], boolType, (text: string) => requestUriFault(text) === undefined),
    ),
  ],
};
