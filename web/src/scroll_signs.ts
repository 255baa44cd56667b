/**
 * Regions that scroll sideways say so: the frame of one is marked at the side at which there is more to see. Only then can it be
 * reached by keyboard.
 */

const atEndFirst = new WeakSet<Element>();
let resizes: ResizeObserver | null = null;

/** Marks the frame of a region, which is its parent, for as long as the region is shown. */
export function showScrollSigns(region: HTMLElement): void {
  region.addEventListener("scroll", () => show(region), { passive: true });
  resizes ??= new ResizeObserver((entries) => entries.forEach(({ target }) => show(regionOf(target))));
  resizes.observe(region);
  for (const child of region.children) resizes.observe(child);
}

/** Shows the end of a region first, such as the newest of what stands in the order of time. */
export function startAtEnd(region: HTMLElement): void {
  atEndFirst.add(region);
}

function regionOf(target: Element): HTMLElement | null {
  return target.closest<HTMLElement>(".scrollable");
}

function show(region: HTMLElement | null): void {
  const frame = region?.parentElement;
  if (!region || !frame || region.clientWidth === 0) return;
  if (atEndFirst.delete(region)) region.scrollLeft = region.scrollWidth;
  const isMoreLeft = region.scrollLeft > 1;
  const isMoreRight = region.scrollLeft + region.clientWidth < region.scrollWidth - 1;
  frame.classList.toggle("more-left", isMoreLeft);
  frame.classList.toggle("more-right", isMoreRight);
  if (isMoreLeft || isMoreRight) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
}
