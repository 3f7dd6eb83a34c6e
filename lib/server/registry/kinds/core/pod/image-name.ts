const PORT = '(?::[0-9]+)?';
const PART = '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)';
const DOMAIN = `(?:${PART}(?:\\.${PART})*|\\[[a-fA-F0-9:]+\\])${PORT}`;
const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const NAME = new RegExp(`^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*$`);
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const MAX_NAME = 255;
/** The maximum length of an image name that is parsed. Longer texts are never valid. */
const MAX_REFERENCE = 1024;

/**
 * The tag with which a container runtime pulls the image. `latest` if the image has neither tag nor digest. Empty if it has only a digest
 * or is not a valid image name.
 */
export function imageTag(image: string): string {
  if (image.length > MAX_REFERENCE || /^[a-f0-9]{64}$/.test(image)) return '';
  const [rest, digest] = cut(image, image.indexOf('@'));
  const colon = rest.lastIndexOf(':');
  const [name, tag] = cut(rest, colon > rest.lastIndexOf('/') ? colon : -1);
  const path = name.slice(name.indexOf('/') + 1);
  const valid =
    NAME.test(name) &&
    path.length <= MAX_NAME &&
    (tag === undefined || TAG.test(tag)) &&
    (digest === undefined || validDigest(digest));
  if (!valid) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

function cut(text: string, at: number): [string, string | undefined] {
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

const LENGTHS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** Whether the digest has a known algorithm and its exact number of lower-case hex digits. */
function validDigest(digest: string): boolean {
  if (!DIGEST.test(digest)) return false;
  const [algorithm, hex = ''] = cut(digest, digest.indexOf(':'));
  return Object.hasOwn(LENGTHS, algorithm) && LENGTHS[algorithm] === hex.length && /^[a-f0-9]*$/.test(hex);
}
