import { compileRegexp } from '#lib/machinery/regexp.ts';

/** The parts of a registry or image without a scheme. */
export interface RegistryUrl {
  /** The host, with the port if there is one. */
  readonly host: string;
  readonly path: string;
}

/** Parses `host[:port][/path]` like Go's net/url after `https://`. Undefined for an invalid URL. */
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

/** Whether an image matches a registry pattern. False if either is not a URL. */
export function matchesImage(pattern: string, image: string): boolean {
  const [glob, target] = [parseRegistryUrl(pattern), parseRegistryUrl(image)];
  return glob !== undefined && target !== undefined && urlsMatch(glob, target);
}

/**
 * Whether an image matches a registry pattern. All labels match, their number and the port are equal, and the path starts with that of the
 * pattern.
 */
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

/** The maximum length of a host. */
const LONGEST = 253;

/** Go's filepath.Match for a label: `*` and character classes. A malformed pattern, or one too long for a host, matches nothing. */
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
