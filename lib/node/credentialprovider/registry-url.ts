import { compileRegexp } from '#lib/machinery/regexp.ts';

/** A registry or image without a scheme, in parts. */
export interface RegistryUrl {
  /** With the port, where it has one. */
  readonly host: string;
  readonly path: string;
}

/** Reads `host[:port][/path]` as Go's net/url does behind `https://`; undefined for what is no URL. */
export function parseRegistryUrl(text: string): RegistryUrl | undefined {
  // oxlint-disable-next-line no-control-regex -- net/url refuses them
  if (/[\x00-\x20\x7f]/.test(text)) return undefined;
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/.exec(text) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (/["%<>\\^`{|}]/.test(host) || /:[^:\]]*[^\d:\]][^:\]]*$/.test(host)) return undefined;
  try {
    return { host, path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}

/** Whether an image is of one of the registries that a pattern names; never where either is no URL. */
export function matchesImage(pattern: string, image: string): boolean {
  const [glob, target] = [parseRegistryUrl(pattern), parseRegistryUrl(image)];
  return glob !== undefined && target !== undefined && urlsMatch(glob, target);
}

/** Whether an image belongs to a registry's pattern: as many labels, each matched, the same port, a path that begins with the pattern's. */
function urlsMatch(glob: RegistryUrl, target: RegistryUrl): boolean {
  const [globLabels, globPort] = splitHost(glob.host);
  const [labels, port] = splitHost(target.host);
  return (
    globPort === port &&
    globLabels.length === labels.length &&
    target.path.startsWith(glob.path) &&
    globLabels.every((pattern, index) => matches(pattern, labels[index] ?? ''))
  );
}

function splitHost(host: string): readonly [readonly string[], string] {
  const [, address, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d*)$/.exec(host) ?? [];
  return [(address ?? name ?? host).split('.'), port ?? ''];
}

const CLASS = /\[(?:[^\]\\[-](?:-[^\]\\[-])?)+\]/y;

/** No host is longer. */
const LONGEST = 253;

/** Go's filepath.Match of a label: `*` and classes of characters. A malformed pattern, or one too long for a host, matches nothing. */
function matches(pattern: string, label: string): boolean {
  if (!/[*[]/.test(pattern)) return pattern === label;
  if (pattern.length > LONGEST) return false;
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    CLASS.lastIndex = at;
    const set = CLASS.exec(pattern)?.[0];
    const character = pattern.charAt(at);
    if (set === undefined && character === '[') return false;
    source += set ?? (character === '*' ? '.*' : character.replace(/[^\w-]/, '\\$&'));
    at += set?.length ?? 1;
  }
  return compileRegexp(`^(?s:${source})$`).matcher(label).find();
}
