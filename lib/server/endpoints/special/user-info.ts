import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** Returns an `authentication/v1 UserInfo` without empty fields. */
export function userInfo({ name, uid = '', groups, extra = {} }: User): JsonObject {
  const shown: JsonObject = {};
  for (const [key, values] of Object.entries(extra)) setField(shown, key, [...values]);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(shown).length === 0 ? {} : { extra: shown }),
  };
}
