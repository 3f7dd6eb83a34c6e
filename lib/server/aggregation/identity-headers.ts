import type { User } from '#lib/server/authentication/user.ts';

/** The headers that identify the user to an aggregated server. They are published under these names. */
export const IDENTITY_HEADERS = {
  user: 'X-Remote-User',
  uid: 'X-Remote-Uid',
  group: 'X-Remote-Group',
  extra: 'X-Remote-Extra-',
} as const;

const USER = IDENTITY_HEADERS.user.toLowerCase();
const UID = IDENTITY_HEADERS.uid.toLowerCase();
const GROUP = IDENTITY_HEADERS.group.toLowerCase();
const EXTRA = IDENTITY_HEADERS.extra.toLowerCase();

/**
 * Whether a header, in lower case, identifies the user to an aggregated server. Such headers of a client are never forwarded. Some servers
 * treat an underscore as a hyphen.
 */
export function isIdentityHeader(given: string): boolean {
  const name = given.replaceAll('_', '-');
  return name === USER || name === UID || name === GROUP || name.startsWith(EXTRA);
}

/** Returns the headers that identify the user to an aggregated server: client-go's SetAuthProxyHeaders. Names are in lower case. */
export function identityHeaders({ name, uid = '', groups, extra = {} }: User): Record<string, string | string[]> {
  const extras = Object.entries(extra).filter(([, values]) => values.length > 0);
  return {
    [USER]: headerText(name),
    ...(uid === '' ? {} : { [UID]: headerText(uid) }),
    ...(groups.length === 0 ? {} : { [GROUP]: groups.map(headerText) }),
    ...Object.fromEntries(extras.map(([key, values]) => [`${EXTRA}${headerKeyEscape(key)}`, values.map(headerText)])),
  };
}

/**
 * Encodes UTF-8 with one character per byte, because Node writes headers in Latin-1. Otherwise the other server would read the user `Ã©` as
 * `é`.
 */
const headerText = (text: string): string => Buffer.from(text).toString('latin1');

/** Percent-encodes the percent sign and bytes that a header name cannot contain. */
function headerKeyEscape(key: string): string {
  const bytes = [...Buffer.from(key, 'utf8')];
  return bytes.map((byte) => (isLegal(byte) ? String.fromCharCode(byte) : escaped(byte))).join('');
}

const isLegal = (byte: number): boolean => /[\w!#$&'*+.^`|~-]/.test(String.fromCharCode(byte));

const escaped = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
