//! Linear least squares in a few unknowns.

/// The x that minimises |A·x − b|, by Gram–Schmidt on the columns of A (modified: Björck 1967, BIT
/// 7:1, stable enough for three columns of very unlike size). `None` when the columns are linearly
/// dependent.
pub(crate) fn solve_least_squares(columns: &[Vec<f64>], b: &[f64]) -> Option<Vec<f64>> {
    let count = columns.len();
    let mut basis = columns.to_vec();
    let mut upper = vec![vec![0.0; count]; count];
    let mut residual = b.to_vec();
    let mut projected = vec![0.0; count];
    for i in 0..count {
        let norm = dot_product(&basis[i], &basis[i]).sqrt();
        let before = dot_product(&columns[i], &columns[i]).sqrt();
        if norm.is_nan() || norm <= before * 1e-12 {
            return None;
        }
        basis[i].iter_mut().for_each(|x| *x /= norm);
        upper[i][i] = norm;
        let unit = basis[i].clone();
        for j in i + 1..count {
            upper[i][j] = dot_product(&unit, &basis[j]);
            subtract_multiple(&mut basis[j], upper[i][j], &unit);
        }
        projected[i] = dot_product(&unit, &residual);
        subtract_multiple(&mut residual, projected[i], &unit);
    }
    let mut x = vec![0.0; count];
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| upper[i][j] * x[j]).sum();
        x[i] = (projected[i] - known) / upper[i][i];
    }
    Some(x)
}

fn dot_product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn subtract_multiple(from: &mut [f64], times: f64, what: &[f64]) {
    for (x, y) in from.iter_mut().zip(what) {
        *x -= times * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_through_three_points_is_the_textbooks() {
        let x = solve_least_squares(&[vec![1.0, 1.0, 1.0], vec![0.0, 1.0, 2.0]], &[1.0, 2.0, 4.0]).unwrap();
        assert!((x[0] - 5.0 / 6.0).abs() < 1e-12 && (x[1] - 1.5).abs() < 1e-12);
    }

    #[test]
    fn dependent_columns_have_no_single_answer() {
        assert_eq!(solve_least_squares(&[vec![1.0, 2.0], vec![2.0, 4.0]], &[1.0, 1.0]), None);
    }
}
