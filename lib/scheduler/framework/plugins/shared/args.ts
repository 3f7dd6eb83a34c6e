import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

/** The type fields that the arguments of every plugin may have. */
export const typeMeta = { apiVersion: z.string().optional(), kind: z.string().optional() };

/** A schema for any JSON object. */
export const anObject = z.custom<JsonObject>((value) => isObject(value as Json), 'must be an object');
