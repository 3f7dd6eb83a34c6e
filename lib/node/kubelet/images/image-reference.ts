import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';

/** The parts of an image name. `tag` and `digest` are '' if absent. */
export interface ImageReference {
  /** Includes the registry if the image name has one. */
  readonly name: string;
  readonly tag: string;
  /** `sha256:…`. */
  readonly digest: string;
}

/** Maximum length of a reference. Parts with a limit are much shorter. */
const LONGEST = 1024;
const LONGEST_PATH = 255;

const COMPONENT = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const DOMAIN = `(?:${COMPONENT}(?:\\.${COMPONENT})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const PATH = `${PATH_COMPONENT}(?:/${PATH_COMPONENT})*`;
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^((?:${DOMAIN}/)?${PATH})(?::(\\w[\\w.-]{0,127}))?(?:@(${DIGEST}))?$`);
const NAME = new RegExp(`^(?:${DOMAIN}/)?(${PATH})$`);
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** Parses an image name without defaults. Throws Error with the text of distribution/reference. */
export function parseReference(text: string): ImageReference {
  const [, name = '', tag = '', digest = ''] = matched(text);
  const path = NAME.exec(name)?.[1] ?? name;
  if (path.length > LONGEST_PATH) throw new Error(`repository name must not be more than ${LONGEST_PATH} characters`);
  if (digest !== '') verifyDigest(digest);
  return { name, tag, digest };
}

function matched(text: string): RegExpExecArray {
  if (text === '') throw new Error('repository name must have at least one component');
  const match = text.length > LONGEST ? null : REFERENCE.exec(text);
  if (match !== null) return match;
  if (text.length <= LONGEST && REFERENCE.test(text.toLowerCase()))
    throw new Error('repository name must be lowercase');
  throw new Error('invalid reference format');
}

function verifyDigest(digest: string): void {
  const [algorithm = '', hex = ''] = digest.split(':');
  const digits = HEX_DIGITS.get(algorithm);
  if (digits === undefined) throw new Error('unsupported digest algorithm');
  if (hex.length !== digits) throw new Error('invalid checksum digest length');
  if (!/^[a-f0-9]*$/.test(hex)) throw new Error('invalid checksum digest format');
}

/**
 * Parses an image name with Docker Hub's defaults: `nginx` is docker.io/library/nginx. Throws Error with the text of
 * distribution/reference.
 */
function parseNormalized(text: string): ImageReference {
  if (/^[a-f0-9]{64}$/.test(text))
    throw new Error(`invalid repository name (${text}), cannot specify 64-byte hexadecimal strings`);
  const [domain, remainder] = splitDomain(text);
  const remote = remainder.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote)
    throw new Error(`invalid reference format: repository name (${remote}) must be lowercase`);
  return parseReference(`${domain}/${remainder}`);
}

function splitDomain(text: string): readonly [domain: string, remainder: string] {
  const slash = text.indexOf('/');
  const first = slash === -1 ? '' : text.slice(0, slash);
  const own = first === 'localhost' || /[.:]/.test(first) || first.toLowerCase() !== first;
  const domain = own && first !== 'index.docker.io' ? first : 'docker.io';
  const rest = own ? text.slice(slash + 1) : text;
  return [domain, domain === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest];
}

/**
 * Parses an image name like upstream's parsers.ParseImageName: the tag is `latest` without a tag or digest. Throws Error with upstream's
 * text.
 */
export function parseImageName(image: string): ImageReference {
  try {
    const { name, tag, digest } = parseNormalized(image);
    return { name, tag: tag === '' && digest === '' ? 'latest' : tag, digest };
  } catch (cause) {
    throw new Error(`couldn't parse image name ${quote(image)}: ${messageOfError(cause)}`, { cause });
  }
}

/** The image with its default tag: `nginx:latest`. Throws Error with upstream's text. */
export function applyDefaultImageTag(image: string): string {
  const { tag, digest } = parseImageName(image);
  return digest === '' && tag !== '' && !image.endsWith(`:${tag}`) ? `${image}:${tag}` : image;
}

/** The image without tag and digest, otherwise unchanged. Throws Error for an invalid image. */
export const trimImageTagDigest = (image: string): string => parseReference(image).name;
