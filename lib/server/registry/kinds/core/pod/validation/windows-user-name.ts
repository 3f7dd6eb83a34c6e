import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';

const DOMAIN_MAX = 256;
const USER_MAX = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = /^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const FORBIDDEN = /["/\\:;|=,+*?<>@[\]]/;

/** Validates a Windows user name, which is `DOMAIN\user` or `user`. */
export function validateRunAsUserName(name: string, path: FieldPath): FieldError[] {
  const wrong = (message: string): FieldError[] => [invalid(path, name, message)];
  if (name === '') return wrong('runAsUserName cannot be an empty string');
  if (/\p{Cc}/u.test(name)) return wrong('runAsUserName cannot contain control characters');
  const parts = name.split('\\');
  if (parts.length > 2) return wrong('runAsUserName cannot contain more than one backslash');
  const messages = parts.length === 2 ? domainMessages(parts[0] as string) : [];
  return [...messages, ...userMessages(parts.at(-1) as string)].flatMap(wrong);
}

function domainMessages(domain: string): string[] {
  const messages: string[] = [];
  if (domain.length >= DOMAIN_MAX) {
    messages.push(`runAsUserName's Domain length must be under ${DOMAIN_MAX} characters`);
  }
  const isDNS = domain.split('.').every((label) => DNS_LABEL.test(label));
  if (!NETBIOS.test(domain) && !isDNS) {
    messages.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return messages;
}

function userMessages(user: string): string[] {
  const messages: string[] = [];
  if (user === '') messages.push("runAsUserName's User cannot be empty");
  else if (user.length > USER_MAX) {
    messages.push(`runAsUserName's User length must not be longer than ${USER_MAX} characters`);
  }
  if (/^[. ]+$/.test(user)) messages.push("runAsUserName's User cannot contain only periods or spaces");
  if (FORBIDDEN.test(user)) {
    messages.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return messages;
}
