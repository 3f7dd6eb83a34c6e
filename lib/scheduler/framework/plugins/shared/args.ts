import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

/** What arguments of any plugin may carry: their kind. */
export const typeMeta = { apiVersion: z.string().optional(), kind: z.string().optional() };

export const anObject = z.custom<JsonObject>((value) => isObject(value as Json), 'must be an object');
