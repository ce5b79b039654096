// Files of the page that are fetched when they are asked for, and may not be there: the server is gone, or the network.

/** A file of the page could not be fetched. Browsers say so in words of their own, which are not for visitors. */
export class Unfetched extends Error {
  code = 'unfetched';
}

/** @template T @param {() => Promise<T>} load @returns {Promise<T>} */
export async function fetchPart(load) {
  try {
    return await load();
  } catch (error) {
    throw error instanceof TypeError ? new Unfetched(error.message) : error;
  }
}
